import { jsonSchema, type Json } from "@/lib/json";
import { oneStep, summariseAndPublish, withMorePeople, withOneMoreStep, withTwoFaults } from "./architect-graphs";
import { answerMail } from "./architect-mail";
import { readArchitectScene, type ArchitectScene } from "./architect-scene";
import { answerJson, type Reply, type Scene } from "./scene";

const plain = (value: unknown): Json => jsonSchema.parse(JSON.parse(JSON.stringify(value)));

const hasLibrary = ({ tools, agents }: ArchitectScene): boolean =>
  tools.has("library__publish") && tools.has("library__read_page") && agents.some(({ id }) => id === "journalist");

const hasInbox = ({ tools, agents }: ArchitectScene): boolean =>
  ["filesystem__read_text_file", "filesystem__write_file"].every((tool) => tools.has(tool)) &&
  ["parser", "writer"].every((wanted) => agents.some(({ id }) => id === wanted));

const drawn = (scene: ArchitectScene): Json => {
  if (/\be-?mails?\b|\binbox\b/i.test(scene.words) && hasInbox(scene)) return plain(answerMail(scene.words));
  if (!/publish|article|page/i.test(scene.words) || !hasLibrary(scene)) return plain(oneStep(scene));
  const graph = summariseAndPublish(scene.words);

  return plain(scene.attempt === 1 ? withTwoFaults(graph) : graph);
};

export const replyAsHonestArchitect = (scene: Scene): Reply | null => {
  const seen = readArchitectScene(scene);
  if (!seen) return null;
  if (!seen.before) return answerJson(drawn(seen));

  return answerJson(
    plain(
      /more people|second person|two people|quorum/i.test(seen.words) ? withMorePeople(seen.before) : withOneMoreStep(seen.before, seen),
    ),
  );
};
