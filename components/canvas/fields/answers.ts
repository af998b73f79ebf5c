export const ANSWERS = [
  { value: "text", label: "Text" },
  { value: "json", label: "JSON" },
] as const;
