import { CountersignError } from "../contract/errors.ts";
import type { TypedQuery } from "../contract/record-query.ts";

/** What a query must say of its rows; the rest has defaults. */
export type QueryRules = Pick<
  TypedQuery,
  "name" | "columns" | "labels" | "units" | "fields" | "aggregate" | "groupSize" | "limit" | "timeoutMs"
>;

/**
 * Refuses rules of a query that name no field of it, would show what they hide, or could not be kept. `keyField` is the field by which a row
 * is known, where one field is. Throws `definition_invalid`.
 */
export function checkRecordQuery(query: QueryRules, keyField: string | null): void {
  const { name, limit, timeoutMs } = query;
  const named = `query \`${name}\``;
  if (!/^[A-Za-z][A-Za-z0-9_.-]{0,99}$/.test(name)) throw invalid(`${named} needs a name such as \`orders.byId\``);
  if (!Number.isInteger(limit) || limit < 1 || limit > mostRows)
    throw invalid(`${named} needs a \`limit\` of 1 to ${mostRows} rows`);
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > longestMs)
    throw invalid(`${named} needs a \`timeoutMs\` of 1 to ${longestMs}`);
  const rules = [query.fields, query.aggregate, query.groupSize].filter((rule) => rule !== undefined);
  if (query.aggregate !== undefined && rules.length > 1)
    throw invalid(`${named} shows totals alone, so it needs no other rule for its fields`);
  for (const field of fieldsNamed(query)) {
    if (!query.columns.has(field)) throw invalid(`${named} has a rule for \`${field}\`, which is no field of its rows`);
  }
  // The id of a row stands in ledgers and in citations.
  if (keyField !== null && query.fields?.[keyField] !== undefined)
    throw invalid(`${named} hides \`${keyField}\`, which is in each row's id`);
  checkAggregate(named, query);
}

/** Within the time that the reading of records gives every query. */
const longestMs = 9_000;
const mostRows = 10_000;

function fieldsNamed({ labels, units = {}, fields = {}, aggregate, groupSize }: QueryRules): readonly string[] {
  const measured = Object.values(aggregate?.measures ?? {}).flatMap((measure) => ("of" in measure ? [measure.of] : []));
  const inUnits = Object.values(units).flatMap(({ unit }) => (typeof unit === "object" ? [unit.field] : []));
  return [
    ...[...Object.keys(labels), ...Object.keys(units), ...Object.keys(fields), ...measured, ...inUnits],
    ...(aggregate === undefined ? [] : [aggregate.subject, ...aggregate.by]),
    ...(groupSize === undefined ? [] : [groupSize.field]),
  ];
}

function checkAggregate(named: string, { aggregate, groupSize, units = {} }: QueryRules): void {
  const least = aggregate?.minimumGroup ?? groupSize?.minimumGroup;
  if (least !== undefined && (!Number.isInteger(least) || least < 2))
    throw invalid(`${named} needs a \`minimumGroup\` of 2 or more`);
  if (aggregate === undefined) return;
  const { by, subject, measures } = aggregate;
  if (by.includes(subject)) throw invalid(`${named} groups by \`${subject}\`, so each group would be one of them`);
  if (Object.keys(measures).length === 0) throw invalid(`${named} needs a measure`);
  for (const [name, measure] of Object.entries(measures)) {
    if (by.includes(name)) throw invalid(`${named} has a measure and a group named \`${name}\``);
    const unit = "of" in measure ? units[measure.of]?.unit : undefined;
    // Pounds and euros have no sum.
    if (typeof unit === "object" && !by.includes(unit.field))
      throw invalid(`${named} adds up \`${name}\` over several \`${unit.field}\`; group by it too`);
  }
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
