-- The books: a system of record of somebody else's. Countersign reads, writes and observes it through three logins, no more.
-- Run by the administrator, any number of times.
create schema if not exists books;
revoke all on schema books from public;

-- Amounts are whole numbers of the currency's smallest unit; below 0 for what left the account.
create sequence if not exists books.movement_number start 8001;
create table if not exists books.movement (
  tenant text not null,
  id text not null default 'mov-' || nextval('books.movement_number') check (id ~ '^mov-[0-9]{4}$'),
  custodian text not null check (custodian in ('norda', 'pelican')),
  -- Not every movement was booked with the custodian's reference.
  reference text,
  booked_on date not null,
  amount_minor integer not null check (amount_minor <> 0),
  currency text not null check (currency in ('EUR', 'GBP', 'JPY')),
  state text not null default 'open' check (state in ('open', 'matched')),
  version integer not null default 1 check (version > 0),
  primary key (tenant, id)
);
-- A row of a feed is booked once, whichever file it came in.
create unique index if not exists movement_reference on books.movement (tenant, custodian, reference) where reference is not null;
create index if not exists movement_custodian on books.movement (tenant, custodian);

-- What was posted for a row of a feed: once, whichever file it came in.
create sequence if not exists books.posting_number start 9001;
create table if not exists books.posting (
  tenant text not null,
  id text not null default 'pst-' || nextval('books.posting_number'),
  kind text not null check (kind in ('match', 'adjustment')),
  custodian text not null,
  reference text not null,
  file text not null,
  line integer not null,
  movement text,
  difference_minor integer not null,
  currency text not null,
  rule text not null,
  rules_version text not null,
  mapping_version text not null,
  idempotency_key text not null,
  primary key (tenant, id),
  unique (tenant, custodian, reference),
  unique (tenant, idempotency_key),
  foreign key (tenant, movement) references books.movement (tenant, id)
);

do $$
declare role_name text;
begin
  foreach role_name in array array['books_read', 'books_write', 'books_observe'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      execute format('create role %I login nosuperuser nocreatedb nocreaterole noinherit nobypassrls', role_name);
    end if;
  end loop;
end
$$;

-- Grants are made anew each time, so what is not listed here is not granted.
revoke all on all tables in schema books from public, books_read, books_write, books_observe;
revoke all on all sequences in schema books from public, books_read, books_write, books_observe;
grant usage on schema books to books_read, books_write, books_observe;
grant select on books.movement, books.posting to books_read, books_observe;
grant update (state, version) on books.movement to books_write;
grant insert (tenant, custodian, reference, booked_on, amount_minor, currency, state) on books.movement to books_write;
grant select (tenant, id, custodian, reference, amount_minor, currency, state, version) on books.movement to books_write;
grant insert (tenant, kind, custodian, reference, file, line, movement, difference_minor, currency, rule, rules_version,
  mapping_version, idempotency_key) on books.posting to books_write;
grant select (tenant, id, movement, idempotency_key) on books.posting to books_write;
grant usage on sequence books.posting_number, books.movement_number to books_write;
