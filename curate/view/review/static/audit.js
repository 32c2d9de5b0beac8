"use strict";
(function (review) {
  review.audit = { show: async (main) => main.replaceChildren("Audit") };
})(window.review);
