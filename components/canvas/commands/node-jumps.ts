import { showHit } from "@/components/canvas/find/show-hit";
import { focusPlace } from "@/components/canvas/keyboard/go-to";
import type { Jump } from "@/components/shortcuts/jumps";
import { NODE_KINDS } from "@/lib/graph/kinds";
import { getNodeName } from "@/lib/graph/problems/facts";
import type { CanvasTools } from "./canvas-tools";

/** Jumps to nodes by name. */
export const listNodeJumps = (tools: CanvasTools) => (): readonly Jump[] =>
  tools.store.getState().history.document.nodes.map((node) => ({
    id: node.id,
    label: getNodeName(node),
    about: node.title === "" ? NODE_KINDS[node.kind].title : `${NODE_KINDS[node.kind].title}, ${node.id}`,
    run: () => {
      showHit(tools, { type: "node", id: node.id });
      focusPlace(tools, { type: "node", id: node.id });
    },
  }));
