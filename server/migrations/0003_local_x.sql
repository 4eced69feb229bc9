-- The local social network of the embedded default.

create table local_x_account (
  handle text primary key check (handle = lower(handle)),
  name text not null,
  created_at timestamptz not null
);

create table local_x_post (
  id uuid primary key,
  handle text not null references local_x_account (handle),
  text text not null,
  created_at timestamptz not null
);
create index local_x_post_newest on local_x_post (created_at, id);
create index local_x_post_by_handle on local_x_post (handle, created_at, id);
