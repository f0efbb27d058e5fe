import type { SandboxFacts } from "countersign";

/** The days that the refund terms give, with the day from which each number holds; the terms of 2030 are announced and hold later. */
export function termFacts(tenant: string): readonly SandboxFacts[] {
  const days = (predicate: string, object: string, [validFrom, validTo]: readonly [string, string | null]) => ({
    ...{ subject: "terms:refunds", predicate, object, validFrom, validTo, scopes: ["tenant:all"] },
  });
  return [
    {
      tenant,
      source: { name: "terms", title: "Register of terms", zone: "Europe/London", label: "system" },
      predicates: (["changed_mind_days", "defect_days", "lost_days"] as const).map((name) => ({
        ...{ name, values: "one", objects: "value" },
      })),
      facts: [
        days("changed_mind_days", "14", ["2024-01-01", "2026-01-01"]),
        days("changed_mind_days", "30", ["2026-01-01", "2030-01-01"]),
        days("changed_mind_days", "21", ["2030-01-01", null]),
        days("defect_days", "60", ["2024-01-01", "2026-01-01"]),
        days("defect_days", "90", ["2026-01-01", null]),
        days("lost_days", "7", ["2024-01-01", null]),
      ],
    },
  ];
}
