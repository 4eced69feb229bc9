-- @beside 0.1.0
-- Looking for a repeat costs more than the notification itself. The orderer looks for those of a whole set at once, and says so
-- in its transaction; all others are still looked at one by one.
create or replace trigger notification_known before insert on notification
  for each row when ((new.type in ('LIKE', 'REPOST') or new.type = 'FOLLOW' and new.cause_id is null)
    and current_setting('rookery.repeats', true) is distinct from 'left out')
  execute function skip_known_notification();
