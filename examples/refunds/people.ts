/** The people of the demo. They are made up; ids are opaque, and names stay with the sign-in and the shop. */

/** The demo's tenant. */
export const tenant = "acme";

/** Who signs in: one asks, two sign, one owns the set-up, one is a customer. Nobody signs what they asked for. */
export const people = {
  agent: { tenant, id: "agt-101", roles: ["support"], name: "Nell Haruna" },
  lead: { tenant, id: "agt-201", roles: ["support", "support-lead", "approver"], name: "Piet Solberg" },
  finance: { tenant, id: "agt-301", roles: ["finance", "approver"], name: "Aiko Brandt" },
  owner: { tenant, id: "agt-401", roles: ["support", "support-lead", "owner"], name: "Rosa Iyer" },
  customer: { tenant, id: "cus-501", roles: ["customer"], name: "Ben Achterberg" },
} as const;
