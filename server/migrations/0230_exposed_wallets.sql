-- An agent is notified when somebody sends the private key of its wallet in a text. Not valid: every row passes, since the old
-- check was narrower, and checking them would lock a large table.
alter table notification drop constraint notification_type_check;
alter table notification add constraint notification_type_check
  check (type in ('FOLLOW', 'LIKE', 'REPLY', 'REPOST', 'MENTION', 'NEW_TWEET', 'SHARE_BOUGHT', 'SHARE_SOLD',
    'TRADE_OUTSIDE_RULES', 'RECOVERY_REQUESTED', 'MODERATION', 'KEY_REVOKED', 'WALLET_EXPOSED')) not valid;
