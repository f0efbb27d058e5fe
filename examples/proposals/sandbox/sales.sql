-- The sales system: a system of record of somebody else's. Countersign reads it through one login, no more.
-- Run by the administrator, any number of times.
create schema if not exists sales;
revoke all on schema sales from public;

create table if not exists sales.rfp (
  tenant text not null,
  id text not null check (id ~ '^rfp-[0-9]{4}$'),
  customer text not null,
  product text not null check (product in ('atlas', 'borealis')),
  region text not null check (region in ('eu', 'us')),
  year text not null check (year ~ '^20[0-9]{2}$'),
  seats integer not null check (seats > 0),
  months integer not null check (months > 0),
  primary key (tenant, id)
);

-- Prices are whole numbers of the currency's smallest unit, for one seat and month.
create table if not exists sales.rate (
  tenant text not null,
  id text not null,
  product text not null,
  region text not null,
  year text not null,
  from_seats integer not null check (from_seats > 0),
  price_minor integer not null check (price_minor > 0),
  currency text not null check (currency = 'EUR'),
  discount_percent integer not null check (discount_percent between 0 and 50),
  primary key (tenant, id),
  unique (tenant, product, region, year, from_seats)
);

do $$
begin
  if not exists (select from pg_roles where rolname = 'sales_read') then
    create role sales_read login nosuperuser nocreatedb nocreaterole noinherit nobypassrls;
  end if;
end
$$;

-- Grants are made anew each time, so what is not listed here is not granted.
revoke all on all tables in schema sales from public, sales_read;
grant usage on schema sales to sales_read;
grant select on sales.rfp, sales.rate to sales_read;
