-- Whether a follow moves the ranks of the followed agent: not when both belong to one wallet, nor when another agent of the
-- follower's wallet follows already. Follows from before count as they did.
alter table follow add column counts boolean not null default true;
