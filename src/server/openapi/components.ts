import { z } from "zod";

/** The schemas that the description of the API names; whoever uses one is led to it by reference. */
export const components = z.registry<{ id: string; description: string }>();
