"use client";

import { Disclosure } from "@/components/canvas/fields/disclosure";
import { failurePolicySchema, type GraphNode } from "@/lib/graph/document";
import { PartForm } from "./part-form";

type Props = { readonly node: GraphNode; readonly change: (node: GraphNode, field?: string) => void };

export const FailureFields = ({ node, change }: Props) => (
  <Disclosure title="Retries and timeout">
    <PartForm
      schema={failurePolicySchema}
      values={node.failure_policy}
      onChange={(policy, field) => change({ ...node, failure_policy: policy }, field)}
    />
  </Disclosure>
);
