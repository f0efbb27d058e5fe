import type { ReactNode } from "react";
import type { Json, JsonObject } from "../../../src/contract/json.ts";
import type { EffectView } from "../../../src/contract/views.ts";
import { asObject, changesOf, isSame } from "../words/changes.ts";
import { counted, plainName, plainValue } from "../words/plain.ts";
import { sourceUnder } from "../words/sources.ts";
import { KindChip, ProvenanceChip } from "./provenance.tsx";
import { Time } from "./time.tsx";

/**
 * What one effect changes: each field now, after approval, and where the new value comes from; then what stays and what else is sent.
 * `edit` draws the cell of a param that is being edited; the proposed value stays beside it.
 */
export function ChangeTable({
  effect,
  decidedAt,
  areKeptShown = false,
  edit,
}: {
  readonly effect: EffectView;
  readonly decidedAt: number;
  readonly areKeptShown?: boolean;
  readonly edit?: (field: string, proposed: Json) => ReactNode;
}): ReactNode {
  const { now, after, changed, kept } = changesOf(effect);
  return (
    <>
      <table className="changes">
        <caption className="hidden">What “{effect.sentence}” changes</caption>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">
              Now, <Time at={decidedAt} />
            </th>
            <th scope="col">After approval</th>
            <th scope="col">Where it comes from</th>
          </tr>
        </thead>
        <tbody>
          {changed.map((field) => (
            <ChangeRow
              key={field}
              field={field}
              before={now[field] ?? null}
              after={after[field] ?? null}
              effect={effect}
              edit={edit}
            />
          ))}
        </tbody>
      </table>
      <KeptFields fields={kept} values={now} isOpen={areKeptShown} />
      <FurtherParams effect={effect} after={after} />
    </>
  );
}

function ChangeRow({
  field,
  before,
  after,
  effect,
  edit,
}: {
  readonly field: string;
  readonly before: Json;
  readonly after: Json;
  readonly effect: EffectView;
  readonly edit: ((field: string, proposed: Json) => ReactNode) | undefined;
}): ReactNode {
  const edited = edit?.(field, after) ?? null;
  return (
    <tr>
      <th scope="row">{plainName(field)}</th>
      <td className="now">
        {before === null ? (
          <span className="meta">none</span>
        ) : (
          <del>
            <span className="hidden">before: </span>
            <span aria-hidden="true">− </span>
            <s>{plainValue(before)}</s>
          </del>
        )}
      </td>
      <td className="after">
        <ins>
          <span className="hidden">after: </span>
          <span aria-hidden="true">+ </span>
          {plainValue(after)}
        </ins>
        {edited}
      </td>
      <td className="from">
        <From field={field} value={after} effect={effect} />
      </td>
    </tr>
  );
}

/** The param of the same name gives the source; a value that the effect works out from it, or sets itself, is a calculation. */
function From({
  field,
  value,
  effect: { params, sources },
}: {
  readonly field: string;
  readonly value: Json;
  readonly effect: EffectView;
}): ReactNode {
  const source = sourceUnder(sources, field);
  const given = asObject(params)[field];
  if (source !== undefined && isSame(given, value)) return <ProvenanceChip source={source} />;
  const how =
    source === undefined ? "set by the effect" : `from ${plainName(field).toLowerCase()}, read as ${plainValue(given ?? null)}`;
  return (
    <span className="source">
      <KindChip kind="calculation" /> <span className="meta">{how}</span>
    </span>
  );
}

function KeptFields({
  fields,
  values,
  isOpen,
}: {
  readonly fields: readonly string[];
  readonly values: JsonObject;
  readonly isOpen: boolean;
}): ReactNode {
  if (fields.length === 0) return null;
  return (
    <details className="kept" open={isOpen}>
      <summary>
        {counted(fields.length, "other field")} {fields.length === 1 ? "stays as it is" : "stay as they are"}
      </summary>
      <dl>
        {fields.map((field) => (
          <div key={field}>
            <dt>{plainName(field)}</dt>
            <dd>{plainValue(values[field] ?? null)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** A signature covers every param, so those that show in no field of the table can be read as well. */
function FurtherParams({
  effect: { params, sources },
  after,
}: {
  readonly effect: EffectView;
  readonly after: JsonObject;
}): ReactNode {
  const further = Object.entries(asObject(params)).filter(([name, value]) => !isSame(after[name], value));
  if (further.length === 0) return null;
  return (
    <details className="kept">
      <summary>{counted(further.length, "further value")} sent with it</summary>
      <dl>
        {further.map(([name, value]) => {
          const source = sourceUnder(sources, name);
          return (
            <div key={name}>
              <dt>{plainName(name)}</dt>
              <dd>
                {plainValue(value)} {source === undefined ? null : <ProvenanceChip source={source} />}
              </dd>
            </div>
          );
        })}
      </dl>
    </details>
  );
}
