import type { ReactNode } from "react";
import type { Json } from "../../../../src/contract/json.ts";
import type { OperationView } from "../../../../src/contract/operation-view.ts";
import { MarkOf } from "../../parts/mark.tsx";
import { plainName, plainValue } from "../../words/plain.ts";
import css from "./operations.module.css";

/** The last known state: each field before, as it was expected, and as a separate read saw it. */
export function StateTable({ operation }: { readonly operation: OperationView }): ReactNode {
  const { before, expected, observed, differs, forbidden } = operation;
  const fields = [...new Set([...Object.keys(expected ?? {}), ...Object.keys(observed ?? {}), ...forbidden])];
  return (
    <section className={css["section"]} aria-labelledby="state-title">
      <h3 id="state-title">Last known state</h3>
      {fields.length === 0 ? (
        <p className="detail">Neither what was expected nor what was seen is open to you, or it was erased.</p>
      ) : (
        <div className="card">
          <table className={`rows ${css["fields"]}`}>
            <caption className="hidden">Before, expected and seen, by field</caption>
            <thead>
              <tr>
                {["Field", "Before", "Expected", "Seen"].map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {fields.map((field) => (
                <tr key={field}>
                  <th scope="row">{plainName(field)}</th>
                  <td>{cellOf(before, field)}</td>
                  <td>{cellOf(expected, field)}</td>
                  <td>
                    <Seen
                      observed={observed}
                      field={field}
                      isOff={differs.includes(field)}
                      isForbidden={forbidden.includes(field)}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Seen({
  observed,
  field,
  isOff,
  isForbidden,
}: {
  readonly observed: OperationView["observed"];
  readonly field: string;
  readonly isOff: boolean;
  readonly isForbidden: boolean;
}): ReactNode {
  if (observed === null) return <span className="meta">not seen</span>;
  if (!isOff && !isForbidden) return cellOf(observed, field);
  return (
    <>
      <MarkOf name={isForbidden ? "warning" : "cross"} tone={isForbidden ? "stop" : "wait"} />{" "}
      <strong>{cellOf(observed, field)}</strong> <span className="meta">{isForbidden ? "must not change" : "differs"}</span>
    </>
  );
}

function cellOf(snapshot: OperationView["before"], field: string): ReactNode {
  const value: Json | undefined = snapshot?.[field];
  return value === undefined ? <span className="meta">not there</span> : plainValue(value);
}
