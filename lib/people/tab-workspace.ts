export const WORKSPACE_HEADER = "x-countersign-workspace";
