import { z } from "zod";
import type { Parts } from "../parts.ts";
import { type Answer, defineTool, type Tool } from "../tool.ts";

const text = z.string();
/** Who writes what the account's own tools send. */
const author = "bot";

/** The tools of a workspace of channels and direct messages, and of the web beside it. */
export const slackTools: readonly Tool[] = [
  defineTool({
    name: "get_channels",
    parts: ["slack"],
    form: z.strictObject({}),
    run: (_, { slack }) => ({ result: slack.channels }),
  }),
  defineTool({
    name: "get_users_in_channel",
    parts: ["slack"],
    form: z.strictObject({ channel: text }),
    run: ({ channel }, { slack }) => {
      if (!slack.channels.includes(channel)) return unknownChannel(channel);
      return { result: slack.users.filter((user) => slack.user_channels[user]?.includes(channel)) };
    },
  }),
  defineTool({
    name: "read_channel_messages",
    parts: ["slack"],
    form: z.strictObject({ channel: text }),
    run: ({ channel }, { slack }) =>
      slack.channels.includes(channel) ? { result: slack.channel_inbox[channel] ?? [] } : unknownChannel(channel),
  }),
  defineTool({
    name: "read_inbox",
    parts: ["slack"],
    form: z.strictObject({ user: text }),
    run: ({ user }, { slack }) => (slack.users.includes(user) ? { result: slack.user_inbox[user] ?? [] } : unknownUser(user)),
  }),
  defineTool({
    name: "send_direct_message",
    parts: ["slack"],
    form: z.strictObject({ recipient: text, body: text }),
    run: ({ recipient, body }, { slack }) => {
      if (!slack.users.includes(recipient)) return unknownUser(recipient);
      const sent = { sender: author, recipient, body };
      const user_inbox = { ...slack.user_inbox, [recipient]: [...(slack.user_inbox[recipient] ?? []), sent] };
      return { result: sent, changed: { slack: { ...slack, user_inbox } } };
    },
  }),
  defineTool({
    name: "send_channel_message",
    parts: ["slack"],
    form: z.strictObject({ channel: text, body: text }),
    run: ({ channel, body }, { slack }) => {
      if (!slack.channels.includes(channel)) return unknownChannel(channel);
      const sent = { sender: author, recipient: channel, body };
      const channel_inbox = { ...slack.channel_inbox, [channel]: [...(slack.channel_inbox[channel] ?? []), sent] };
      return { result: sent, changed: { slack: { ...slack, channel_inbox } } };
    },
  }),
  defineTool({
    name: "add_user_to_channel",
    parts: ["slack"],
    form: z.strictObject({ user: text, channel: text }),
    run: ({ user, channel }, { slack }) => addToChannel(slack, { user, channel }),
  }),
  defineTool({
    name: "invite_user_to_slack",
    parts: ["slack"],
    form: z.strictObject({ user: text, user_email: text }),
    run: ({ user, user_email }, { slack }) => {
      if (slack.users.includes(user)) return { error: `\`${user}\` is here already` };
      const after = {
        ...slack,
        users: [...slack.users, user],
        user_channels: { ...slack.user_channels, [user]: [] },
        user_inbox: { ...slack.user_inbox, [user]: [] },
      };
      return { result: { invited: user, user_email }, changed: { slack: after } };
    },
  }),
  defineTool({
    name: "remove_user_from_slack",
    parts: ["slack"],
    form: z.strictObject({ user: text }),
    run: ({ user }, { slack }) => {
      if (!slack.users.includes(user)) return unknownUser(user);
      const { [user]: _channels, ...user_channels } = slack.user_channels;
      const { [user]: _inbox, ...user_inbox } = slack.user_inbox;
      const users = slack.users.filter((one) => one !== user);
      return { result: { removed: user }, changed: { slack: { ...slack, users, user_channels, user_inbox } } };
    },
  }),
  defineTool({
    name: "get_webpage",
    parts: ["web"],
    form: z.strictObject({ url: text }),
    // What is asked for leaves the house whether or not there is an answer.
    run: ({ url }, { web }) => ({
      result: web.web_content[url] ?? "404 Not Found",
      changed: { web: { ...web, web_requests: [...web.web_requests, url] } },
    }),
  }),
  defineTool({
    name: "post_webpage",
    parts: ["web"],
    form: z.strictObject({ url: text, content: text }),
    run: ({ url, content }, { web }) => ({
      result: { posted: url },
      changed: {
        web: { ...web, web_content: { ...web.web_content, [url]: content }, web_requests: [...web.web_requests, url] },
      },
    }),
  }),
];

function addToChannel(slack: Parts["slack"], { user, channel }: { user: string; channel: string }): Answer {
  if (!slack.users.includes(user)) return unknownUser(user);
  if (!slack.channels.includes(channel)) return unknownChannel(channel);
  const before = slack.user_channels[user] ?? [];
  if (before.includes(channel)) return { error: `\`${user}\` is in \`${channel}\` already` };
  const user_channels = { ...slack.user_channels, [user]: [...before, channel] };
  return { result: { user, channel }, changed: { slack: { ...slack, user_channels } } };
}

function unknownChannel(channel: string): Answer {
  return { error: `there is no channel \`${channel}\`` };
}

function unknownUser(user: string): Answer {
  return { error: `there is no user \`${user}\`` };
}
