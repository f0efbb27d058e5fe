import { z } from "zod";
import { type Book, documentOf } from "./book.ts";
import { shop } from "./retail-book.ts";
import { defineTool, found, type Outcome, refused, type Tool } from "./tool.ts";

const text = z.string();

/** The shop's tools that look something up. */
export const retailReads: readonly Tool[] = [
  defineTool({
    name: "find_user_id_by_email",
    writes: false,
    form: z.strictObject({ email: text }),
    run: ({ email }, book) => {
      const user = shop.users(book).find((one) => one.email.toLowerCase() === email.toLowerCase());
      return user === undefined ? refused("User not found") : found(user.user_id);
    },
  }),
  defineTool({
    name: "find_user_id_by_name_zip",
    writes: false,
    form: z.strictObject({ first_name: text, last_name: text, zip: text }),
    run: ({ first_name, last_name, zip }, book) => {
      const user = shop
        .users(book)
        .find(
          ({ name, address }) =>
            name.first_name.toLowerCase() === first_name.toLowerCase() &&
            name.last_name.toLowerCase() === last_name.toLowerCase() &&
            address.zip === zip,
        );
      return user === undefined ? refused("User not found") : found(user.user_id);
    },
  }),
  defineTool({
    name: "get_order_details",
    writes: false,
    form: z.strictObject({ order_id: text }),
    run: ({ order_id }, book) => document(book, `orders/${order_id}`),
  }),
  defineTool({
    name: "get_user_details",
    writes: false,
    form: z.strictObject({ user_id: text }),
    run: ({ user_id }, book) => document(book, `users/${user_id}`),
  }),
  defineTool({
    name: "get_product_details",
    writes: false,
    form: z.strictObject({ product_id: text }),
    run: ({ product_id }, book) => document(book, `products/${product_id}`),
  }),
  defineTool({
    name: "get_item_details",
    writes: false,
    form: z.strictObject({ item_id: text }),
    run: ({ item_id }, book) => {
      const holder = shop.products(book).find(({ variants }) => Object.hasOwn(variants, item_id));
      const variant = holder?.variants[item_id];
      return variant === undefined ? refused("Item not found") : found(documentOf(variant));
    },
  }),
  defineTool({
    name: "list_all_product_types",
    writes: false,
    form: z.strictObject({}),
    run: (_, book) => found(Object.fromEntries(shop.products(book).map(({ name, product_id }) => [name, product_id]))),
  }),
];

function document(book: Book, path: string): Outcome {
  const read = book.read(path);
  return read === null ? refused(`${path} not found`) : found(read);
}
