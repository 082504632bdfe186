// The sections that there is data for, drawn again whenever what they tell of, or the width, changes.
const start = () => {
  document.documentElement.classList.add("scripted");
  read();
  const sections = [["ask", (usable.length || rest.length) && askSection], ["nomogram", usable.length && nomogramSection], ["learnt", learntSection], ["trust", facts.performance && trustSection], ["drift", facts.drift && driftSection]];
  const draws = sections.map(([id, make]) => { const section = document.getElementById(id); return section && make ? [id, make(section)] : null; }).filter(Boolean);
  // what is known changes the first two alone; the others tell of the class asked about and its rival
  let drawn = "";
  const draw = () => {
    const { a, r } = now(), sides = [a, r, innerWidth].join();
    for (const [id, one] of draws) if (id === "ask" || id === "nomogram" || sides !== drawn) one();
    drawn = sides;
  };
  listeners.push(draw);
  addEventListener("hashchange", () => { read(); reach(draw); });
  let width = innerWidth;
  addEventListener("resize", () => { if (innerWidth !== width) { width = innerWidth; draw(); } });
  let folded = [];
  addEventListener("beforeprint", () => { folded = [...document.querySelectorAll("details:not([open])")]; folded.forEach((one) => { one.open = true; }); });
  addEventListener("afterprint", () => folded.splice(0).forEach((one) => { one.open = false; }));
  draw();
  if (rest.length) reach(draw);
  // for those who check the page against the library
  window.candide = { now: () => now().p, score: (row) => posterior(known(row)), questions: (row) => questions(row).map((q) => [q.column.name, q.information, q.turns]), interval: (row, k) => interval(known(row), k) };
  performance.mark("drawn");
  document.documentElement.dataset.ready = "true";
};
