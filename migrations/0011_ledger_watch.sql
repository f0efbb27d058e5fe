-- The scheduled check of the ledger stops a tenant whose chain does not hold: that and nothing else, under a name of its own. It lifts
-- nothing; an owner does, once a person has looked.
create policy halt_by_check on countersign.halt for insert to acting with check (
  countersign.in_tenants(tenant) and is_stopped and scope = 'tenant' and name = '*' and by_principal = 'ledger-check');
grant insert (tenant, id, scope, name, is_stopped, by_principal, reason) on countersign.halt to acting;
