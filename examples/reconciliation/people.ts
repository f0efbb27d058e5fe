/** The people of the demo. They are made up; ids are opaque. */

/** The demo's tenant. */
export const tenant = "acme";

/** One runs the reconciliation, one signs exceptions, one owns the set-up. Nobody signs what they asked for. */
export const people = {
  accountant: { tenant, id: "acc-101", roles: ["accountant"], name: "Ines Falk" },
  controller: { tenant, id: "acc-201", roles: ["accountant", "approver"], name: "Tomas Reyes" },
  secondController: { tenant, id: "acc-202", roles: ["accountant", "approver"], name: "Mei Castell" },
  owner: { tenant, id: "acc-301", roles: ["accountant", "owner"], name: "Dora Nyman" },
} as const;
