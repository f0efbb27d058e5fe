-- The shop's own systems of record: orders, the payment provider's refunds, the general ledger, the carrier's scans, and what customers
-- are shown. Four systems of four owners in one schema, each written on its own. Countersign owns none of it: it reads, writes and
-- observes through three logins. Run by the administrator, any number of times.
create schema if not exists shop;
revoke all on schema shop from public;

create table if not exists shop.customer (
  tenant text not null,
  id text not null check (id ~ '^cus-[0-9]+$'),
  name text not null,
  -- One form, so that it can be found in a text.
  email text not null check (email ~ '^[a-z0-9.]+@[a-z0-9.]*[a-z0-9]$'),
  primary key (tenant, id)
);
create index if not exists customer_email on shop.customer (tenant, email);

create table if not exists shop.purchase (
  tenant text not null,
  id text not null check (id ~ '^ord-[0-9]{4}$'),
  customer text not null,
  placed_on date not null,
  status text not null check (status in ('paid', 'packed', 'shipped', 'delivered', 'cancelled')),
  promised_on date not null,
  delivered_on date,
  -- The payment that it was paid with. A refund goes back there and nowhere else; no system here knows an account number.
  payment text not null check (payment ~ '^pay-[0-9]{4}$'),
  currency text not null check (currency in ('GBP', 'EUR', 'JPY')),
  parcel text,
  primary key (tenant, id),
  foreign key (tenant, customer) references shop.customer (tenant, id)
);
create index if not exists purchase_customer on shop.purchase (tenant, customer);

-- Amounts are whole numbers of the currency's smallest unit, everywhere.
create table if not exists shop.purchase_line (
  tenant text not null,
  purchase text not null,
  line integer not null check (line > 0),
  product text not null,
  total_minor integer not null check (total_minor > 0),
  refunded_minor integer not null default 0 check (refunded_minor between 0 and total_minor),
  is_final_sale boolean not null default false,
  -- Grows with each refund and each change: what was approved for one version is not approved for the next.
  version integer not null default 1 check (version > 0),
  primary key (tenant, purchase, line),
  foreign key (tenant, purchase) references shop.purchase (tenant, id)
);

-- What customers and agents wrote on an order.
create table if not exists shop.purchase_note (
  tenant text not null,
  id text not null check (id ~ '^note-[0-9]+$'),
  purchase text not null,
  written_on date not null,
  written_by text not null check (written_by in ('customer', 'agent')),
  note text not null,
  primary key (tenant, id),
  foreign key (tenant, purchase) references shop.purchase (tenant, id)
);
create index if not exists purchase_note_purchase on shop.purchase_note (tenant, purchase);

-- What the carrier reports. Places are written by the carrier's depots.
create table if not exists shop.scan (
  tenant text not null,
  id text not null check (id ~ '^scan-[0-9]+$'),
  parcel text not null,
  scanned_on date not null,
  place text not null,
  event text not null check (event in ('accepted', 'in transit', 'out for delivery', 'delivered', 'returned')),
  primary key (tenant, id)
);
create index if not exists scan_parcel on shop.scan (tenant, parcel);

-- The payment provider's refunds; it takes an idempotency key.
create sequence if not exists shop.refund_number start 3001;
create table if not exists shop.refund (
  tenant text not null,
  id text not null default 'rfd-' || nextval('shop.refund_number'),
  purchase text not null,
  line integer not null,
  payment text not null,
  currency text not null,
  amount_minor integer not null check (amount_minor > 0),
  reason text not null,
  state text not null default 'issued' check (state in ('issued', 'reversed')),
  ref text not null,
  idempotency_key text not null,
  reversal_key text,
  primary key (tenant, id),
  unique (tenant, ref),
  unique (tenant, idempotency_key),
  foreign key (tenant, purchase, line) references shop.purchase_line (tenant, purchase, line)
);

-- The general ledger. One booking of each kind for each refund.
create table if not exists shop.booking (
  tenant text not null,
  ref text not null,
  kind text not null check (kind in ('refund', 'reversal')),
  account text not null,
  currency text not null,
  amount_minor integer not null,
  primary key (tenant, ref, kind)
);

-- What the customer is shown beside a line.
create table if not exists shop.shown_status (
  tenant text not null,
  purchase text not null,
  line integer not null,
  status text not null check (status in ('refund_on_its_way', 'refund_withdrawn')),
  ref text not null,
  primary key (tenant, purchase, line)
);

-- Troubles that a test or a curious person switches on. `reply_lost` is used up one by one, in the orders named; the others hold
-- while they are above 0: `status_drops` takes a status and forgets it, `status_refuses` and `books_refuse` answer with an error.
create table if not exists shop.trouble (
  name text not null check (name in ('reply_lost', 'status_drops', 'status_refuses', 'books_refuse')),
  purchase text not null,
  remaining integer not null check (remaining >= 0),
  primary key (name, purchase)
);

-- In the transaction of the refund itself: if that does not commit, neither does this.
create or replace function shop.meet_lost_reply() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update shop.trouble set remaining = remaining - 1 where name = 'reply_lost' and purchase = new.purchase and remaining > 0;
  if found then perform set_config('shop.reply_is_lost', 'yes', false); end if;
  return null;
end
$$;
create or replace trigger refund_meets_trouble after insert on shop.refund
  for each row execute function shop.meet_lost_reply();

create or replace function shop.meet_status_trouble() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from shop.trouble where name = 'status_refuses' and purchase = new.purchase and remaining > 0) then
    raise exception 'the status system is out of order';
  end if;
  if exists (select from shop.trouble where name = 'status_drops' and purchase = new.purchase and remaining > 0) then
    return null;
  end if;
  return new;
end
$$;
create or replace trigger status_meets_trouble before insert or update on shop.shown_status
  for each row execute function shop.meet_status_trouble();

create or replace function shop.meet_books_trouble() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from shop.trouble where name = 'books_refuse' and purchase = split_part(new.ref, ':', 2) and remaining > 0) then
    raise exception 'the books are closed';
  end if;
  return new;
end
$$;
create or replace trigger booking_meets_trouble before insert on shop.booking
  for each row execute function shop.meet_books_trouble();

-- The reply to a write, asked for after its commit. In a marked session the server ends the connection instead of replying.
create or replace function shop.reply(id text) returns text
  language plpgsql volatile as $$
begin
  if current_setting('shop.reply_is_lost', true) = 'yes' then perform pg_terminate_backend(pg_backend_pid()); end if;
  return id;
end
$$;

do $$
declare role_name text;
begin
  foreach role_name in array array['shop_read', 'shop_write', 'shop_observe'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      execute format('create role %I login nosuperuser nocreatedb nocreaterole noinherit nobypassrls', role_name);
    end if;
  end loop;
end
$$;

-- Grants are made anew each time, so what is not listed here is not granted.
revoke all on all tables in schema shop from public, shop_read, shop_write, shop_observe;
revoke all on all sequences in schema shop from public, shop_read, shop_write, shop_observe;
revoke all on all functions in schema shop from public, shop_read, shop_write, shop_observe;
grant usage on schema shop to shop_read, shop_write, shop_observe;

grant select on shop.customer, shop.purchase, shop.purchase_line, shop.purchase_note, shop.scan, shop.refund, shop.booking,
  shop.shown_status to shop_read;

-- What the acting half looks at to see what is true: no names, no notes.
grant select on shop.purchase, shop.purchase_line, shop.refund, shop.booking, shop.shown_status to shop_observe;

-- Columns that a write names in a condition or hands back are readable to the writer, no others.
grant insert (tenant, purchase, line, payment, currency, amount_minor, reason, ref, idempotency_key) on shop.refund to shop_write;
grant update (state, reversal_key) on shop.refund to shop_write;
grant select (tenant, id, purchase, line, state, ref, idempotency_key, reversal_key, amount_minor) on shop.refund to shop_write;
grant update (refunded_minor, version) on shop.purchase_line to shop_write;
grant select (tenant, purchase, line, total_minor, refunded_minor, version) on shop.purchase_line to shop_write;
grant select (tenant, id, payment, currency) on shop.purchase to shop_write;
grant insert (tenant, ref, kind, account, currency, amount_minor) on shop.booking to shop_write;
grant select (tenant, ref, kind) on shop.booking to shop_write;
grant insert (tenant, purchase, line, status, ref), update (status, ref) on shop.shown_status to shop_write;
grant select (tenant, purchase, line, status, ref) on shop.shown_status to shop_write;
grant usage on sequence shop.refund_number to shop_write;
grant execute on function shop.reply(text) to shop_write;
