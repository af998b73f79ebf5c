/** Names the workspace that the tab of a request shows. */
export const WORKSPACE_HEADER = "x-countersign-workspace";
