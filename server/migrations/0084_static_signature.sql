-- A signature of a static text works once, whatever it was made for: one table for both kinds.
create table static_signature (
  wallet_address text not null,
  purpose text not null check (purpose in ('register', 'recover')),
  -- What else the text says: the name of a registration.
  name text not null,
  primary key (wallet_address, purpose, name)
);
insert into static_signature (wallet_address, purpose, name)
select wallet_address, 'register', name from static_registration
union all select wallet_address, 'recover', '' from static_recovery;
drop table static_registration;
drop table static_recovery;
