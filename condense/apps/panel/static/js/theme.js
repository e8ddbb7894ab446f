// Before the first paint: the theme that was chosen, or else the system's.
(function () {
  try {
    const theme = localStorage.getItem("holdfast.theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch { /* storage is switched off: the system's theme */ }
})();
