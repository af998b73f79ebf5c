"use client";

import { TextQuote } from "lucide-react";
import { ExtractFields } from "./extract-fields";
import type { KindUi } from "./kind-ui";

export const extractUi: KindUi<"extract"> = {
  icon: TextQuote,
  group: "zone",
  summary: ({ config }) =>
    config.fields.length === 0
      ? `Nothing yet from ${config.from}`
      : `${config.fields.map((field) => field.name).join(", ")} from ${config.from}`,
  intro: "Its model is quarantined: it sees only this value, calls no tools, and can only fill in the form.",
  parts: {
    fields: ({ node, change }) => (
      <ExtractFields
        fields={node.config.fields}
        onChange={(fields, field) => change({ ...node, config: { ...node.config, fields } }, field)}
      />
    ),
  },
  initial: () => ({
    config: { fields: [{ name: "title", description: "", required: true, value: { type: "text", max_length: 200 } }] },
  }),
};
