export const WORKSPACE_HEADER = "x-countersign-workspace";

/** Of the workspace that the server rendered last. */
export const WORKSPACE_QUERY = ["workspace"] as const;
