// Lets this browser show the messages of an event: asks for leave, and sends its keys as a form.
const form = document.getElementById("push");
if (form && "serviceWorker" in navigator && "PushManager" in window) {
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const worker = await navigator.serviceWorker.register("/worker.js");
      await navigator.serviceWorker.ready;
      const found = await worker.pushManager.subscribe({
        userVisibleOnly: true,
        applicationServerKey: form.dataset.key,
      });
      const { endpoint, keys } = found.toJSON();
      form.elements.url.value = endpoint;
      form.elements.key.value = keys.p256dh;
      form.elements.secret.value = keys.auth;
      form.submit();
    } catch {
      document.getElementById("push-refused").hidden = false;
    }
  });
}
