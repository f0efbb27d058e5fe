import { instantOfDay } from "../contract/document-dates.ts";
import type { FolderSource } from "../contract/document-source.ts";
import { CountersignError } from "../contract/errors.ts";
import { type DocumentStatus, documentStatuses } from "../contract/knowledge.ts";
import { idPattern } from "../contract/limits.ts";

/** What a project says of a folder of documents; what is left out is said below. */
export interface FolderSourceForm {
  readonly name: string;
  readonly folder: string;
  readonly owner: string;
  /** The labels that may see its documents. */
  readonly scopes: readonly string[];
  /** How far the index may be behind the folder, in milliseconds: from a second to a year. */
  readonly freshWithinMs: number;
  /** All tenants, where it is left out. */
  readonly tenants?: "all" | readonly string[];
  /** `documents`, where it is left out. */
  readonly collection?: string;
  readonly isAuthority?: boolean;
  /** `current`, where it is left out. */
  readonly status?: Exclude<DocumentStatus, "superseded">;
  /** Days such as `2026-01-31`, the last one included, or instants with a time zone; always in force where they are left out. */
  readonly validFrom?: string;
  readonly validTo?: string;
}

const yearMs = 366 * 24 * 60 * 60 * 1000;

/**
 * Declares a folder whose files are read into the index and kept up to date. Throws `definition_invalid`.
 * @example
 * const handbook = folderSource({
 *   name: "handbook",
 *   folder: "documents",
 *   owner: "it-service",
 *   scopes: ["tenant:all"],
 *   freshWithinMs: 15 * 60_000,
 * });
 */
export function folderSource(form: FolderSourceForm): FolderSource {
  const { name, folder, owner, scopes, freshWithinMs, tenants = "all", collection = "documents", status = "current" } = form;
  if (!idPattern.test(name)) throw invalid(name, "its name has not the form of an id");
  if (folder.trim() === "") throw invalid(name, "it names no folder");
  if (!idPattern.test(owner)) throw invalid(name, "its owner has not the form of an id");
  if (!idPattern.test(collection)) throw invalid(name, "its collection has not the form of an id");
  if (scopes.length === 0) throw invalid(name, "nobody may see its documents; name labels in `scopes`");
  if (!documentStatuses.includes(status)) throw invalid(name, `its status is none of ${documentStatuses.join(", ")}`);
  if (!Number.isInteger(freshWithinMs) || freshWithinMs < 1_000 || freshWithinMs > yearMs)
    throw invalid(name, "`freshWithinMs` is from a second to a year");
  const [validFrom, validTo] = [dateOf(form, "validFrom") ?? 0, dateOf(form, "validTo")];
  if (validTo !== null && validTo <= validFrom) throw invalid(name, "it ends before it begins");
  const isAuthority = form.isAuthority ?? false;
  return Object.freeze({
    ...{ name, tenants, folder, owner, scopes: [...scopes], collection, isAuthority, status, validFrom, validTo, freshWithinMs },
  });
}

function dateOf(form: FolderSourceForm, field: "validFrom" | "validTo"): number | null {
  const text = form[field];
  if (text === undefined) return null;
  const instant = instantOfDay(text, field === "validTo");
  if (instant === null)
    throw invalid(form.name, `\`${field}\` is a day such as \`2026-01-31\`, or an instant with its time zone`);
  return instant;
}

function invalid(name: string, what: string): CountersignError {
  return new CountersignError("definition_invalid", `the source \`${name.slice(0, 63)}\`: ${what}`, { facts: { name } });
}
