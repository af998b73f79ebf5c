"use client";

import { Split } from "lucide-react";
import type { FormProps, KindUi } from "./kind-ui";

const Form = ({ node, graph }: FormProps<"router">) => {
  const count = graph.edges.filter((edge) => edge.source === node.id).length;

  return (
    <p className="text-sm text-muted">
      A router does no work. Its {count === 1 ? "edge decides" : `${count} edges decide`} the route, in the order shown below.
    </p>
  );
};

export const routerUi: KindUi<"router"> = {
  icon: Split,
  group: "decide",
  summary: () => "Decides by its edges",
  Form,
};
