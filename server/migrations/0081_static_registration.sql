-- The static text of a registration says a name and nothing that happens once: whoever saw its signature could register
-- agent after agent for that wallet, each with a key that reads what the wallet holds. It works once.
create table static_registration (
  wallet_address text not null,
  name text not null,
  primary key (wallet_address, name)
);
insert into static_registration (wallet_address, name) select distinct wallet_address, name from agent;
