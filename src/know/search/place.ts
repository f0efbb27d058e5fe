/** Positions of a document: more than the passages that one may have. */
const positionsOfDocument = 32_768;

/**
 * Where a passage stands in the index, as one whole number: by its document's number, then by its position there, counted from 1. Whatever was
 * filed later comes later. With a section's number instead of a position it is the place of that section.
 */
export function placeOf(document: number, position: number): number {
  return document * positionsOfDocument + position;
}

/** The number of the document of a place. */
export function documentAt(place: number): number {
  return Math.floor(place / positionsOfDocument);
}

/** The position in its document of a place. */
export function positionAt(place: number): number {
  return place % positionsOfDocument;
}
