/** What was found from one token to another; `to` is exclusive. */
export interface Span {
  readonly kind: "person" | "organisation" | "address" | "place";
  readonly from: number;
  readonly to: number;
}
