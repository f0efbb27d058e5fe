import type { SandboxFacts } from "countersign";

/** In which team somebody works, and who is its IT lead; the personnel office says so, with the day from which it holds. */
export function teamFacts(tenant: string): readonly SandboxFacts[] {
  const scopes = ["tenant:all"];
  const team = (employee: string, name: string) => ({
    ...{ subject: `employee:${employee}`, predicate: "team", object: `team:${name}` },
    ...{ validFrom: "2024-03-01", validTo: null, scopes },
  });
  const lead = (name: string, object: string, [validFrom, validTo]: readonly [string, string | null], seenBy = scopes) => ({
    ...{ subject: `team:${name}`, predicate: "it_lead", object, validFrom, validTo, scopes: seenBy },
  });
  return [
    {
      tenant,
      source: { name: "personnel", title: "Personnel office", zone: "Europe/Berlin", label: "system" },
      predicates: [
        { name: "team", values: "one", objects: "entity" },
        { name: "it_lead", values: "one", objects: "value" },
      ],
      facts: [
        ...[team("emp-104", "editorial"), team("emp-105", "editorial"), team("emp-106", "finance"), team("emp-107", "logistics")],
        lead("editorial", "Petra Sandoval", ["2024-03-01", "2026-01-01"]),
        lead("editorial", "Jonas Albrecht", ["2026-01-01", null]),
        lead("finance", "Nils Aho", ["2024-03-01", "2026-07-01"]),
        // Not told outside the management before it is announced.
        lead("finance", "Dana Kovac", ["2026-07-01", null], ["role:it-lead"]),
      ],
    },
  ];
}
