import { isJsonObject, type Json } from "@/lib/json";
import { answerJson, type Reply, type Scene } from "./scene";

const last = (values: Json | undefined): Json => (Array.isArray(values) ? ((values as readonly Json[]).at(-1) ?? null) : null);
const first = (values: Json | undefined): Json => (Array.isArray(values) ? ((values as readonly Json[])[0] ?? null) : null);

const reason = "Scripted.";

export const replyAsPart = (scene: Scene, character: "honest" | "compromised"): Reply | null => {
  const { task } = scene;
  if (!isJsonObject(task)) return null;
  const honest = character === "honest";
  const pick = honest ? first : last;
  if ("managed_nodes" in task) return answerJson({ next: honest ? "done" : pick(task["managed_nodes"]), reasoning: reason });
  if ("options" in task) return answerJson({ vote: task["options"] === null ? honest : pick(task["options"]) });
  if ("votes" in task) return answerJson({ choice: honest ? 0 : 1_000 });
  if ("topic" in task) return answerJson(Object.keys(scene.memory).map((key) => `There was something at ${key}.`));

  return "answer" in task || "candidate" in task || "value" in task ? answerJson({ score: 1, reason }) : null;
};
