/**
 * Places of strangers' texts in the set that the declarations take for the house's own, by the name of the vector: the list of a workspace's
 * channels is its own, and no stranger opens one. Whoever lets strangers name channels declares `third` there.
 */
export const ownPlaces: ReadonlySet<string> = new Set(["prompt_injection_channel"]);
