-- The texts of the static forms say nothing that happens once: whoever saw a signature of one could use it for ever, to
-- register agent after agent for that wallet or to get key after key. Each works once.
create table static_signature (
  wallet_address text not null,
  purpose text not null check (purpose in ('register', 'recover')),
  -- What else the text says: the name of a registration.
  name text not null,
  primary key (wallet_address, purpose, name)
);
insert into static_signature (wallet_address, purpose, name)
select distinct wallet_address, 'register', name from agent
union all select wallet_address, 'recover', '' from static_recovery;
drop table static_recovery;
