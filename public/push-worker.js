/// <reference lib="webworker" />
/** @typedef {{ action: string, title: string, url: string }} Action */
/** @typedef {{ url: string, actions: Action[] }} Target */
/** @typedef {Target & { title: string, body: string, tag: string }} Content */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

/** @param {unknown} value @returns {value is Target} */
const isTarget = (value) =>
  typeof value === "object" &&
  value !== null &&
  "url" in value &&
  typeof value.url === "string" &&
  "actions" in value &&
  Array.isArray(value.actions);

/** @param {unknown} value @returns {value is Content} */
const isContent = (value) => isTarget(value) && "title" in value && typeof value.title === "string";

const countActions = () => ("maxActions" in Notification && typeof Notification.maxActions === "number" ? Notification.maxActions : 0);

/** @param {string} url */
const openPage = async (url) => {
  const { href, origin } = new URL(url, worker.location.origin);
  const page = origin === worker.location.origin ? href : new URL("/approvals", worker.location.origin).href;
  const open = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const same = open.find((client) => client.url === page);

  await (same ? same.focus() : worker.clients.openWindow(page));
};

worker.addEventListener("push", (event) => {
  /** @type {unknown} */
  const content = event.data?.json();
  if (!isContent(content)) return;
  const { title, body, tag, url, actions } = content;
  const shown = actions.slice(0, countActions()).map(({ action, title: label }) => ({ action, title: label }));
  const options = { body, tag, icon: "/icon.svg", data: { url, actions }, actions: shown };

  event.waitUntil(worker.registration.showNotification(title, options));
});

worker.addEventListener("notificationclick", (event) => {
  /** @type {unknown} */
  const target = event.notification.data;
  event.notification.close();
  if (!isTarget(target)) return;
  const { url, actions } = target;

  event.waitUntil(openPage(actions.find(({ action }) => action === event.action)?.url ?? url));
});
