/** What is locked, hashed by the database, by whoever sets a hold of a tenant, and shared by whoever erases something of it. */
export function holdLock(tenant: string): string {
  return `countersign hold ${tenant}`;
}
