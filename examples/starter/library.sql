-- The office library: it stands for a system of record of yours. Countersign has three logins to it, no more.
-- Run by the administrator, any number of times.
create schema if not exists library;
revoke all on schema library from public;

create table if not exists library.loan (
  tenant text not null,
  id text not null check (id ~ '^loan-[0-9]+$'),
  holder text not null,
  title text not null,
  due_on date not null,
  is_reserved boolean not null default false,
  -- Grows with each change, so that a change is made only to what was approved.
  version integer not null default 1,
  primary key (tenant, id)
);

insert into library.loan (tenant, id, holder, title, due_on, is_reserved) values
  ('acme', 'loan-1', 'emp-101', 'The Life of Bees', current_date + 3, false),
  ('acme', 'loan-2', 'emp-101', 'Typography for Beginners', current_date + 5, true),
  ('acme', 'loan-3', 'emp-102', 'Walks in the Alps', current_date + 8, false)
on conflict do nothing;

do $$
declare login text;
begin
  foreach login in array array['library_read', 'library_write', 'library_observe'] loop
    if not exists (select from pg_roles where rolname = login) then
      execute format('create role %I login nosuperuser nocreatedb nocreaterole noinherit nobypassrls', login);
    end if;
  end loop;
end
$$;

revoke all on library.loan from public, library_read, library_write, library_observe;
grant usage on schema library to library_read, library_write, library_observe;
grant select on library.loan to library_read, library_observe;
grant select (tenant, id, version), update (due_on, version) on library.loan to library_write;
