"use client";

import { Users } from "lucide-react";
import { listDeclaredPaths } from "@/components/canvas/fields/declared-paths";
import { Disclosure } from "@/components/canvas/fields/disclosure";
import { NameList } from "@/components/canvas/fields/name-list";
import { NumberField } from "@/components/canvas/fields/number-field";
import { OptionalPathField, PathField } from "@/components/canvas/fields/path-field";
import { TextField } from "@/components/canvas/fields/text-field";
import { dropUndefined } from "@/components/canvas/fields/without-undefined";
import type { NodeOf } from "@/lib/graph/document";
import { fillsForm } from "@/lib/graph/kind-of";
import { FINDINGS } from "@/lib/graph/kinds/review";
import { answerPath } from "@/lib/graph/problems/access";
import { idSchema } from "@/lib/ids";
import type { FormProps, KindUi } from "./kind-ui";
import { ReviewerList, ReworkSection } from "./review-parts";

const HOUR_MS = 3_600_000;
const MAX_FINDINGS = 50;

const Form = ({ node, graph, catalog, change }: FormProps<"review">) => {
  const { config } = node;
  const set = (changed: Partial<typeof config>, field?: string) =>
    change({ ...node, config: dropUndefined({ ...config, ...changed }) }, field);

  return (
    <>
      <PathField label="Target" graph={graph} value={config.target} onCommit={(target) => set({ target }, "target")} />
      <OptionalPathField
        label="Source"
        hint="Shown next to the target. Optional."
        graph={graph}
        value={config.source}
        onCommit={(source) => set({ source }, "source")}
      />
      <ReviewerList reviewers={config.reviewers} catalog={catalog} onChange={(reviewers, field) => set({ reviewers }, field)} />
      <NumberField
        label="Required approvals"
        hint="From people and models combined. A judge enforces them; reviewers only advise."
        value={config.quorum}
        min={1}
        max={20}
        onCommit={(quorum) => set({ quorum }, "quorum")}
      />
      <TextField
        label="What to look for"
        rows={3}
        value={config.instructions}
        check={(text) => (text.length > 4_000 ? "At most 4,000 characters." : null)}
        onCommit={(instructions) => set({ instructions }, "instructions")}
      />
      <ReworkSection node={node} graph={graph} set={set} />
      <Disclosure title="Findings and time">
        <NameList
          label="Finding codes"
          hint="Codes that a reviewer can choose from."
          placeholder="Add a code"
          names={config.findings}
          suggestions={FINDINGS}
          check={(text) => {
            if (config.findings.length >= MAX_FINDINGS) return "At most 50.";

            return idSchema.safeParse(text).success ? null : "A letter, then letters, digits, - or _.";
          }}
          onChange={(findings) => set({ findings: [...findings] })}
          lastStays="At least one code is required."
        />
        <NumberField
          label="Expires after (hours)"
          integer={false}
          value={config.timeout_ms / HOUR_MS}
          min={0.01}
          max={720}
          onCommit={(hours) => set({ timeout_ms: Math.round(hours * HOUR_MS) }, "timeout")}
        />
      </Disclosure>
    </>
  );
};

const votesIn = ({ config }: NodeOf<"review">): number =>
  config.reviewers.reduce((count, reviewer) => count + (reviewer.type === "agent" ? 1 : reviewer.count), 0);

export const reviewUi: KindUi<"review"> = {
  icon: Users,
  group: "zone",
  summary: (node) => `${node.config.target}: ${node.config.quorum} of ${votesIn(node)} approve`,
  Form,
  initial: (graph) => {
    const extract = graph.nodes.find((node) => fillsForm(node));
    const target = extract && answerPath(extract);

    return {
      config: {
        target: target ?? listDeclaredPaths(graph)[0] ?? "extract",
        ...(extract && target !== undefined ? { source: extract.config.from } : {}),
        instructions: "",
        reviewers: [{ type: "person", role: "reviewer", count: 1 }],
        quorum: 1,
        findings: [...FINDINGS],
        timeout_ms: 24 * HOUR_MS,
      },
    };
  },
};
