"""The numbers of `report.json`, beside the funnel."""
