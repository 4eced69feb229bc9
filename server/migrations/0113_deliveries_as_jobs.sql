-- One job for each webhook sends what waits for it, so that the queue keeps its time, its turn and who has it in hand.
-- webhook.lock_id and locked_until are left for instances of 0.1.0 that still run.
insert into job (id, kind, payload, dedupe_key, run_at, created_at)
select gen_random_uuid(), 'deliver_events', jsonb_build_object('webhookId', webhook.id), 'deliver_events ' || webhook.id,
  greatest(min(next_attempt_at), quiet_until), now()
from webhook join webhook_delivery on webhook_id = webhook.id
where webhook.status = 'active' and webhook_delivery.status = 'waiting'
group by webhook.id;
