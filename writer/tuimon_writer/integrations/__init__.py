"""Callbacks and loggers for frameworks that run the training: one module a framework, which imports it.

Nothing is imported here, and `tuimon_writer` itself imports none of these modules.

| module | what it has |
|---|---|
| `huggingface` | ``TuimonCallback`` for ``transformers.Trainer`` |
| `lightning` | ``TuimonLogger`` for ``lightning.pytorch`` and ``pytorch_lightning`` |
| `keras` | ``TuimonCallback`` for ``Model.fit`` of Keras 3 |
| `accelerate` | ``TuimonTracker`` for ``Accelerator(log_with=…)`` |
| `ray` | ``TuimonLoggerCallback`` for Ray Tune |
| `xgboost` | ``TuimonCallback`` for ``xgboost.train``, ``cv`` and the estimators |
| `lightgbm` | ``TuimonCallback`` for ``lightgbm.train``, ``cv`` and the estimators |
"""
