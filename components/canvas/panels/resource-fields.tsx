"use client";

import { NumberField } from "@/components/canvas/fields/number-field";
import { TextField } from "@/components/canvas/fields/text-field";
import { resourceUriSchema } from "@/lib/graph/triggers/trigger";
import { LEAST_POLL_S, MOST_POLL_S, type Trigger, type TriggerOf } from "@/lib/graph/triggers/trigger";
import { idSchema } from "@/lib/ids";

type Props = {
  readonly trigger: TriggerOf<"mcp_resource">;
  readonly onChange: (trigger: Trigger, field?: string) => void;
};

export const ResourceFields = ({ trigger, onChange }: Props) => (
  <>
    <TextField
      label="MCP server"
      hint="Id of a registered server that allows calls by node."
      mono
      value={trigger.server}
      check={(text) => (idSchema.safeParse(text).success ? null : "Use letters, digits, - and _.")}
      onCommit={(server) => onChange({ ...trigger, server }, "server")}
    />
    <TextField
      label="Resource URI"
      hint="Each change of its text after publishing is an event."
      mono
      value={trigger.uri}
      check={(text) => (resourceUriSchema.safeParse(text).success ? null : "A URI such as file:///orders, without braces.")}
      onCommit={(uri) => onChange({ ...trigger, uri }, "uri")}
    />
    <NumberField
      label="Read every (seconds)"
      hint="A server with subscriptions is also read when it announces a change."
      integer
      value={trigger.poll_seconds}
      min={LEAST_POLL_S}
      max={MOST_POLL_S}
      onCommit={(seconds) => onChange({ ...trigger, poll_seconds: seconds }, "poll")}
    />
  </>
);
