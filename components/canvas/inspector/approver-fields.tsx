"use client";

import { NameList } from "@/components/canvas/fields/name-list";
import { OptionalSection } from "@/components/canvas/fields/optional-section";
import { useCanvas } from "@/components/canvas/state/canvas-context";
import { CheckboxGroup } from "@/components/ui/checkbox-group";
import type { GraphNode } from "@/lib/graph/document";
import { groupNameSchema } from "@/lib/people/approvers";

type Props = { readonly node: GraphNode; readonly change: (node: GraphNode, field?: string) => void };

export const ApproverFields = ({ node, change }: Props) => {
  const { groups = [], deciders = [] } = useCanvas((state) => state.catalog.approvers) ?? {};
  const { approvers, ...rest } = node;
  const named = approvers ?? { groups: [], people: [] };
  const known = new Set(deciders.map(({ id }) => id));
  const choices = [
    ...deciders.map(({ id, name }) => ({ value: id, label: name, hint: "reviewer" })),
    ...named.people.flatMap((id) => (known.has(id) ? [] : [{ value: id, label: id.slice(0, 8), hint: "no active reviewer here" }])),
  ];

  return (
    <OptionalSection
      title="Name approvers"
      about="Only these people and groups decide this node's approvals. They still need the role."
      isOn={approvers !== undefined}
      onToggle={(isOn) => change(isOn ? { ...node, approvers: named } : rest)}
    >
      <NameList
        label="Groups"
        names={named.groups}
        suggestions={groups.map(({ name }) => name)}
        placeholder="Add a group"
        check={(name) => (groupNameSchema.safeParse(name).success ? null : "This is no name of a group.")}
        onChange={(next) => change({ ...node, approvers: { ...named, groups: [...next] } }, "approvers")}
      />
      <CheckboxGroup
        legend="People"
        choices={choices}
        value={named.people}
        onChange={(people) => change({ ...node, approvers: { ...named, people } }, "approvers")}
      />
    </OptionalSection>
  );
};
