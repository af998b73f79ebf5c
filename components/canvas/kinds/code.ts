import { CodeXml } from "lucide-react";
import type { KindUi } from "./kind-ui";

const LANGUAGES = { typescript: "TypeScript", python: "Python" } as const;

export const codeUi: KindUi<"code"> = {
  icon: CodeXml,
  group: "work",
  summary: ({ config: { language, source } }) => {
    const lines = source.trim().split("\n").length;

    return `${LANGUAGES[language]}, ${lines} ${lines === 1 ? "line" : "lines"}`;
  },
};
