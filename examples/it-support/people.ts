/** The people of the demo. They are made up; ids are opaque, and names stay with the sign-in and the help desk. */

/** The demo's tenant. */
export const tenant = "acme";

/** Someone who can sign in to the demo. */
export interface Person {
  readonly tenant: string;
  readonly id: string;
  readonly roles: readonly string[];
  readonly name: string;
  /** What a person who tries the demo reads beside the name. */
  readonly title: string;
}

/** Three people for signing in: one who asks, one who signs, one who owns the set-up. Nobody signs what they asked for. */
export const people = {
  employee: { tenant, id: "emp-104", roles: ["employee"], name: "Mira Okafor", title: "Editor, asks the help desk" },
  approver: {
    tenant,
    id: "emp-201",
    roles: ["employee", "approver", "it-lead"],
    name: "Jonas Albrecht",
    title: "IT lead, signs replacements",
  },
  owner: {
    tenant,
    id: "emp-301",
    roles: ["employee", "owner"],
    name: "Sanna Virtanen",
    title: "Head of operations, owns the service",
  },
} as const satisfies Record<string, Person>;
