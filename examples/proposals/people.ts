/** The people of the demo. They are made up; ids are opaque. */

/** The demo's tenant. */
export const tenant = "acme";

/** Who signs in: one writes proposals, one releases them, one is of legal, one owns the set-up. */
export const people = {
  writer: { tenant, id: "bid-101", roles: ["proposals"], name: "Mara Quist" },
  lead: { tenant, id: "bid-201", roles: ["proposals", "approver"], name: "Joao Lindqvist" },
  legal: { tenant, id: "bid-301", roles: ["proposals", "legal"], name: "Edda Ferreira" },
  owner: { tenant, id: "bid-401", roles: ["owner"], name: "Tariq Holm" },
} as const;
