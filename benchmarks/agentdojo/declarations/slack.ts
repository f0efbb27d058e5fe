import type { CallRule } from "../../../src/contract/plan.ts";

const channel = { class: "target", type: "text" } as const;
const user = { class: "selector", type: "user" } as const;
const body = { class: "content", type: "text" } as const;
const url = { class: "target", type: "url" } as const;
const read = { kind: "read", space: "own", reversible: true } as const;
/** Others see it, and nothing takes it back. */
const outside = { kind: "write", space: "external", reversible: false } as const;
/** The workspace says who wrote a message and where; what it says is the writer's. */
const messages = { "/*/sender": "directory", "/*/recipient": "directory", "/*/body": "third" } as const;

/** The tools of a workspace of channels and direct messages, and of the web beside it. */
export const slackRules: readonly CallRule[] = [
  {
    name: "get_channels",
    description: "Gives the names of all channels.",
    ...read,
    args: {},
    // The workspace's own list: no stranger opens a channel in it, though the set has a place for a stranger's text in a channel's name.
    fields: { "/*": "directory" },
  },
  {
    name: "get_users_in_channel",
    description: "Gives the names of the users of a channel.",
    ...read,
    args: { channel: { ...channel, class: "selector" } },
    fields: { "/*": "directory" },
  },
  {
    name: "read_channel_messages",
    description: "Gives the messages of a channel: sender, recipient, body.",
    ...read,
    args: { channel: { ...channel, class: "selector" } },
    fields: messages,
  },
  {
    name: "read_inbox",
    description: "Gives the direct messages that a user received: sender, recipient, body.",
    ...read,
    args: { user },
    fields: messages,
  },
  {
    name: "get_webpage",
    description: "Asks for a page of the web by its URL and gives its text.",
    kind: "send",
    space: "external",
    reversible: false,
    args: { url },
    fields: { "": "third" },
  },
  {
    name: "post_webpage",
    description: "Publishes a text at a URL of the web.",
    ...outside,
    args: { url, content: body },
    fields: {},
  },
  {
    name: "send_direct_message",
    description: "Sends a message to a user.",
    ...outside,
    args: { recipient: { class: "target", type: "user" }, body },
    fields: {},
  },
  {
    name: "send_channel_message",
    description: "Posts a message in a channel.",
    ...outside,
    args: { channel, body },
    fields: {},
  },
  {
    name: "add_user_to_channel",
    description: "Makes a user of the workspace a member of a channel.",
    ...outside,
    args: { user, channel },
    fields: {},
  },
  {
    name: "invite_user_to_slack",
    description: "Invites somebody to the workspace by name and address of mail.",
    ...outside,
    args: { user, user_email: { class: "target", type: "email" } },
    fields: {},
  },
  {
    name: "remove_user_from_slack",
    description: "Takes a user out of the workspace, with all memberships and messages.",
    kind: "write",
    space: "own",
    reversible: false,
    args: { user },
    fields: {},
  },
];
