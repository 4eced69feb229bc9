-- A session belongs to an owner who logged in, to a wallet that signed in, or to both. An old
-- instance joins sessions to owners, so it refuses those of wallets.
alter table owner_session
  alter column owner_id drop not null,
  add column wallet_address text,
  add constraint owner_session_somebody check (owner_id is not null or wallet_address is not null);

-- A ticket names an agent, a person by their session, or an agent of an owner for as long as their session lasts.
alter table realtime_ticket
  alter column agent_id drop not null,
  add column session_id uuid references owner_session (id) on delete cascade,
  add constraint realtime_ticket_somebody check (num_nonnulls(agent_id, session_id) > 0);

alter table challenge
  drop constraint challenge_purpose_check,
  add constraint challenge_purpose_check check (purpose in ('register', 'recover', 'session'));
