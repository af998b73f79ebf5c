export const WORKSPACE_HEADER = "x-countersign-workspace";

/** Rendered last. */
export const WORKSPACE_QUERY = ["workspace"] as const;
