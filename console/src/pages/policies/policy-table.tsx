import type { ReactNode } from "react";
import type { PoliciesView } from "../../../../src/contract/policy-view.ts";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { MarkOf } from "../../parts/mark.tsx";
import { EmptyState } from "../../parts/notice.tsx";
import { useAddress } from "../../shell/use-address.ts";
import { counted } from "../../words/plain.ts";
import css from "./policies.module.css";

/** One policy as it stands in its file. */
export type Policy = PoliciesView["policies"][number];

/** Every policy with what it does; of one action where the address names it. A row opens its place in the file. */
export function PolicyTable({ policies: { policies } }: { readonly policies: PoliciesView }): ReactNode {
  const { search, set } = useAddress();
  const action = search["of"] ?? "";
  const actions = [...new Set(policies.flatMap((policy) => policy.actions))].toSorted();
  const rows = action === "" ? policies : policies.filter((policy) => policy.actions.includes(action));
  return (
    <>
      <div className="toolbar">
        <label className={css["inline"]}>
          <span>Action</span>
          <select className="field" value={action} onChange={(event) => set({ of: event.target.value || undefined })}>
            <option value="">All actions</option>
            {actions.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <p className="meta">
          {counted(rows.length, "policy", "policies")}. A forbid beats every permit; what no policy permits is refused.
        </p>
      </div>
      {rows.length === 0 ? (
        <EmptyState
          title="No policy names that action."
          detail="What no policy permits is refused."
          link={{ to: "/policies", words: "All policies" }}
        />
      ) : (
        <DataTable
          caption="Policies"
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          onChoose={({ id, file }) => set({ view: "files", file, policy: id })}
        />
      )}
    </>
  );
}

const columns: readonly Column<Policy>[] = [
  { name: "Policy", width: "28%", cell: ({ id }) => <code>{id}</code> },
  { name: "Does", width: "7rem", cell: ({ effect }) => <Does effect={effect} /> },
  { name: "Actions", cell: ({ actions }) => actions.join(", ") },
  {
    name: "Stands in",
    width: "26%",
    cell: ({ file, line }) => (
      <code>
        {file}:{line}
      </code>
    ),
  },
];

/** Whether it permits or forbids, as a mark and the word. */
export function Does({ effect }: Pick<Policy, "effect">): ReactNode {
  const isPermit = effect === "permit";
  return (
    <span className={css["does"]}>
      <MarkOf name={isPermit ? "tick" : "cross"} tone="quiet" /> {isPermit ? "permits" : "forbids"}
    </span>
  );
}
