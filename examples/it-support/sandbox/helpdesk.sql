-- The help desk's own system of record. Countersign owns none of it: it reads, writes and observes through three logins.
-- Run by the administrator, any number of times.
create schema if not exists helpdesk;
revoke all on schema helpdesk from public;

create table if not exists helpdesk.employee (
  tenant text not null,
  id text not null check (id ~ '^emp-[0-9]+$'),
  name text not null,
  -- One form each, so that they can be found in a text.
  email text not null check (email ~ '^[a-z0-9.]+@[a-z0-9.]*[a-z0-9]$'),
  phone text not null check (phone ~ '^\+\d{2} \d{2} \d{4} \d{3}$'),
  team text not null,
  primary key (tenant, id)
);
create index if not exists employee_email on helpdesk.employee (tenant, email);
create index if not exists employee_phone on helpdesk.employee (tenant, phone);

-- What is ordered when a device of a category is replaced.
create table if not exists helpdesk.catalogue (
  category text primary key check (category in ('laptop', 'phone', 'mouse', 'keyboard', 'headset', 'monitor')),
  model text not null
);

create table if not exists helpdesk.device (
  tenant text not null,
  id text not null check (id ~ '^dev-[0-9]+$'),
  asset_tag text not null check (asset_tag ~ '^[A-Z]{2}-\d{4}$'),
  serial text not null,
  category text not null references helpdesk.catalogue (category),
  model text not null,
  holder text not null,
  bought_on date not null,
  state text not null check (state in ('in_use', 'in_repair', 'replacement_ordered', 'retired')),
  -- The depot that supplies the device and its replacement.
  depot text not null,
  -- How often it was replaced: the part of a business key that lets a later replacement be a new one.
  replacements integer not null default 0 check (replacements >= 0),
  primary key (tenant, id),
  unique (tenant, asset_tag),
  foreign key (tenant, holder) references helpdesk.employee (tenant, id)
);
create index if not exists device_holder on helpdesk.device (tenant, holder);

create table if not exists helpdesk.warranty (
  tenant text not null,
  device text not null,
  provider text not null,
  ends_on date not null,
  primary key (tenant, device),
  foreign key (tenant, device) references helpdesk.device (tenant, id)
);

-- What was last measured on a device.
create table if not exists helpdesk.diagnostics (
  tenant text not null,
  device text not null,
  measured_on date not null,
  disk_free_percent integer not null check (disk_free_percent between 0 and 100),
  memory_used_percent integer not null check (memory_used_percent between 0 and 100),
  temperature_c integer not null,
  -- It lowers its own speed because it is hot.
  is_throttled boolean not null,
  battery_health_percent integer not null check (battery_health_percent between 0 and 100),
  primary key (tenant, device),
  foreign key (tenant, device) references helpdesk.device (tenant, id)
);

create table if not exists helpdesk.device_event (
  tenant text not null,
  id text not null check (id ~ '^evt-[0-9]+$'),
  device text not null,
  happened_on date not null,
  kind text not null check (kind in ('delivered', 'fan cleaned', 'battery exchanged', 'memory added', 'system updated')),
  note text not null,
  primary key (tenant, id),
  foreign key (tenant, device) references helpdesk.device (tenant, id)
);
create index if not exists device_event_device on helpdesk.device_event (tenant, device);

create sequence if not exists helpdesk.ticket_number start 5001;
create table if not exists helpdesk.ticket (
  tenant text not null,
  id text not null default 'tkt-' || nextval('helpdesk.ticket_number'),
  requester text not null,
  device text,
  kind text not null check (kind in ('replacement', 'incident', 'request')),
  status text not null check (status in ('open', 'in progress', 'waiting for parts', 'done')),
  reason text,
  note text not null,
  -- The caller's own name for it: the business key. Known before the ticket exists, so an order can point to it.
  ref text,
  idempotency_key text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (tenant, id),
  unique (tenant, ref),
  unique (tenant, idempotency_key),
  foreign key (tenant, requester) references helpdesk.employee (tenant, id),
  foreign key (tenant, device) references helpdesk.device (tenant, id)
);
create index if not exists ticket_requester on helpdesk.ticket (tenant, requester);

create sequence if not exists helpdesk.order_number start 7001;
create table if not exists helpdesk.replacement_order (
  tenant text not null,
  id text not null default 'ord-' || nextval('helpdesk.order_number'),
  ticket text not null,
  device text not null,
  model text not null,
  status text not null check (status in ('ordered', 'shipped', 'delivered')),
  ref text not null,
  idempotency_key text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant, id),
  unique (tenant, ref),
  unique (tenant, idempotency_key),
  foreign key (tenant, ticket) references helpdesk.ticket (tenant, ref),
  foreign key (tenant, device) references helpdesk.device (tenant, id)
);

-- How many of a depot's next replies get lost on their way back, although the work was done.
create table if not exists helpdesk.fault (
  depot text primary key,
  remaining integer not null check (remaining >= 0)
);

-- Takes one fault of the depot and marks this session, in the transaction of the insert itself: if that does not commit, neither does this.
create or replace function helpdesk.meet_fault() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update helpdesk.fault set remaining = remaining - 1
    where remaining > 0
      and depot = (select d.depot from helpdesk.device d where d.tenant = new.tenant and d.id = new.device);
  if found then perform set_config('helpdesk.reply_is_lost', 'yes', false); end if;
  return null;
end
$$;
create or replace trigger ticket_meets_fault after insert on helpdesk.ticket
  for each row execute function helpdesk.meet_fault();
create or replace trigger order_meets_fault after insert on helpdesk.replacement_order
  for each row execute function helpdesk.meet_fault();

-- The reply to a write, asked for after its commit. In a marked session the server ends the connection instead of replying.
create or replace function helpdesk.reply(id text) returns text
  language plpgsql volatile as $$
begin
  if current_setting('helpdesk.reply_is_lost', true) = 'yes' then perform pg_terminate_backend(pg_backend_pid()); end if;
  return id;
end
$$;

do $$
declare role_name text;
begin
  foreach role_name in array array['helpdesk_read', 'helpdesk_write', 'helpdesk_observe'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      execute format('create role %I login nosuperuser nocreatedb nocreaterole noinherit nobypassrls', role_name);
    end if;
  end loop;
end
$$;

-- Grants are made anew each time, so what is not listed here is not granted.
revoke all on all tables in schema helpdesk from public, helpdesk_read, helpdesk_write, helpdesk_observe;
revoke all on all sequences in schema helpdesk from public, helpdesk_read, helpdesk_write, helpdesk_observe;
revoke all on all functions in schema helpdesk from public, helpdesk_read, helpdesk_write, helpdesk_observe;
grant usage on schema helpdesk to helpdesk_read, helpdesk_write, helpdesk_observe;

grant select on helpdesk.employee, helpdesk.catalogue, helpdesk.device, helpdesk.warranty, helpdesk.ticket, helpdesk.replacement_order,
  helpdesk.diagnostics, helpdesk.device_event to helpdesk_read;

-- What the acting half looks at to see what is true; people's names and addresses are not among it.
grant select on helpdesk.catalogue, helpdesk.device, helpdesk.warranty, helpdesk.ticket, helpdesk.replacement_order to helpdesk_observe;

-- Columns that a write names in a condition or hands back are readable to the writer, no others.
grant insert (tenant, requester, device, kind, status, reason, note, ref, idempotency_key) on helpdesk.ticket to helpdesk_write;
grant select (tenant, id, idempotency_key) on helpdesk.ticket to helpdesk_write;
grant insert (tenant, ticket, device, model, status, ref, idempotency_key) on helpdesk.replacement_order to helpdesk_write;
grant select (tenant, id, idempotency_key) on helpdesk.replacement_order to helpdesk_write;
grant update (state, replacements) on helpdesk.device to helpdesk_write;
grant select (tenant, id, state, replacements) on helpdesk.device to helpdesk_write;
grant usage on sequence helpdesk.ticket_number, helpdesk.order_number to helpdesk_write;
grant execute on function helpdesk.reply(text) to helpdesk_write;
