import type { Graph } from "@/lib/graph/document";
import { listDeclaredPaths } from "./declared-paths";

export const PathOptions = ({ id, graph }: { readonly id: string; readonly graph: Graph }) => (
  <datalist id={id}>
    {listDeclaredPaths(graph).map((path) => (
      <option key={path} value={path}>
        {path}
      </option>
    ))}
  </datalist>
);
