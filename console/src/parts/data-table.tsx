import { type ReactNode, useId } from "react";
import { Button } from "./button.tsx";
import { TableFrame } from "./table-frame.tsx";

/** One column: words stand left, numbers right. */
export interface Column<T> {
  readonly name: string;
  readonly isNumber?: boolean;
  /** Such as `12rem` or `20%`; what is left out shares the rest. */
  readonly width?: string;
  readonly cell: (row: T) => ReactNode;
}

/** Rows of one line each. The chosen row opens its detail; `j`, `k` and `enter` do the same where the page says so. */
export function DataTable<T>({
  caption,
  columns,
  rows,
  keyOf,
  chosen,
  onChoose,
}: {
  /** What the table holds, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  readonly chosen?: string | null;
  readonly onChoose?: (row: T) => void;
}): ReactNode {
  return (
    <TableFrame hasControls={onChoose !== undefined}>
      <table className="rows">
        <caption className="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, isNumber, width }) => (
              <th
                key={name}
                scope="col"
                className={isNumber === true ? "number-cell" : undefined}
                style={width === undefined ? undefined : { width }}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row
              key={keyOf(row)}
              id={keyOf(row)}
              row={row}
              columns={columns}
              isChosen={chosen === keyOf(row)}
              onChoose={onChoose}
            />
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}

function Row<T>({
  id,
  row,
  columns,
  isChosen,
  onChoose,
}: {
  readonly id: string;
  readonly row: T;
  readonly columns: readonly Column<T>[];
  readonly isChosen: boolean;
  readonly onChoose: ((row: T) => void) | undefined;
}): ReactNode {
  return (
    <tr
      className={`${onChoose === undefined ? "" : "choosable"}${isChosen ? " chosen" : ""}`}
      onClick={onChoose === undefined ? undefined : () => onChoose(row)}
    >
      {columns.map(({ name, isNumber, cell }, place) => (
        <td key={name} className={isNumber === true ? "number-cell" : undefined}>
          {place === 0 && onChoose !== undefined ? (
            <button
              type="button"
              className="row-opener"
              data-row={id}
              aria-current={isChosen ? "true" : undefined}
              onClick={() => onChoose(row)}
            >
              {cell(row)}
            </button>
          ) : (
            cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}

/** Loads what follows in a list, one page more. */
export function MoreRows({
  hasMore,
  isLoading,
  onMore,
  what,
}: {
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly onMore: () => void;
  readonly what: string;
}): ReactNode {
  if (!hasMore) return null;
  return (
    <p className="more">
      <Button onClick={onMore} disabled={isLoading}>
        Show more {what}
      </Button>
    </p>
  );
}

/** One of several views of a list; the chosen one stands in the address. */
export function Filters<T extends string>({
  label,
  options,
  chosen,
  onChoose,
}: {
  readonly label: string;
  readonly options: readonly { readonly value: T; readonly words: string; readonly count?: number | undefined }[];
  readonly chosen: T;
  readonly onChoose: (value: T) => void;
}): ReactNode {
  const id = useId();
  return (
    <fieldset className="filters" aria-labelledby={id}>
      <legend id={id} className="hidden">
        {label}
      </legend>
      {options.map(({ value, words, count }) => (
        <button key={value} type="button" className="filter" aria-pressed={value === chosen} onClick={() => onChoose(value)}>
          {words}
          {count === undefined ? null : ` ${count > 10_000 ? "over 10,000" : count}`}
        </button>
      ))}
    </fieldset>
  );
}
